#pragma once
// Waiting has no work; its cycles are not counted.
static inline void ap_wait(void) { }
static inline void ap_wait_n(int n) { (void)n; }
