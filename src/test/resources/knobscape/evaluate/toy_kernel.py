# Makes toy-kernel.json with Kernel Tuner 1.5.0: a C function that says its own time.
import kernel_tuner, numpy as np
src = """
extern "C" float toy(float *c, float *a, float *b, int n) {
  for (int r = 0; r < REPEAT; r++) for (int i = 0; i < n; i += STEP) for (int j = 0; j < STEP && i + j < n; j++) c[i+j] = a[i+j] + b[i+j];
  return (float)(REPEAT * 0.1f + 1.0f / STEP);
}
"""
n = np.int32(1000); a = np.random.rand(1000).astype(np.float32); b = a.copy(); c = np.zeros_like(a)
kernel_tuner.tune_kernel("toy", src, 1, [c, a, b, n], {"STEP": [1, 2, 4, 8], "REPEAT": [1, 2, 3]}, lang="C", compiler="gcc", cache="toy-kernel.json",
  restrictions=["STEP * REPEAT < 20"], metrics={"GB/s": lambda p: 1000/p["time"]}, iterations=3)
