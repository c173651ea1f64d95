package knobscape.compile.ir;

import java.util.List;

/// A type as the source has it.
public sealed interface IrDebugType {
    /// As a person writes it, where it has a name.
    String name();

    /// Its width as it is kept (a `_BitInt(12)` takes 16, its width is not told), 0 where not known.
    long bits();

    /// A number.
    record Basic(String name, long bits, Encoding encoding) implements IrDebugType {}

    /// How a number is coded.
    enum Encoding {
        BOOLEAN,
        FLOATING,
        SIGNED,
        UNSIGNED
    }

    /// An address, a reference.
    ///
    /// @param target a struct that is being described already stands here as [Unknown]
    /// @param reference whether it is one object's, never stepped over
    record Address(IrDebugType target, boolean reference) implements IrDebugType {
        @Override
        public String name() {
            return target.name() + " *";
        }

        @Override
        public long bits() {
            return Long.SIZE;
        }
    }

    /// An array.
    ///
    /// @param dims sizes, outermost first; -1 where unknown
    record Elements(IrDebugType element, List<Long> dims, long bits) implements IrDebugType {
        public Elements {
            dims = List.copyOf(dims);
        }

        @Override
        public String name() {
            return element.name();
        }
    }

    /// A struct, class or union.
    record Composite(String name, List<Member> members, long bits) implements IrDebugType {
        public Composite {
            members = List.copyOf(members);
        }
    }

    /// A member or base of a struct.
    ///
    /// @param name of the member, of a base its type's
    /// @param offset bits from the start of the struct
    record Member(String name, long offset, IrDebugType type) {}

    /// A second name of a type (`typedef`), `const` and `volatile` taken off.
    record Alias(String name, IrDebugType target) implements IrDebugType {
        @Override
        public long bits() {
            return target.bits();
        }
    }

    /// An enumeration.
    record Enumeration(String name, long bits) implements IrDebugType {}

    /// A type that is not described.
    record Unknown(String name) implements IrDebugType {
        @Override
        public long bits() {
            return 0;
        }
    }
}
