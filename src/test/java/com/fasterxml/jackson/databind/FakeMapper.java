package com.fasterxml.jackson.databind;

/// Stands in for Jackson 2, which is not on the class path, in the test that the rule against it notices.
public final class FakeMapper {
    private FakeMapper() {}
}
