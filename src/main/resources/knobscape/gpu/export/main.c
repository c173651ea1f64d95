/* Host example: runs the kernels of kernels.cl on random data, compares the result with reference.h, and times them.
 *   cc -O2 main.c -lOpenCL -lm -o run && ./run */
#define CL_TARGET_OPENCL_VERSION 120
#include "launch.h"
#include "reference.h"
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>

static void check(cl_int status, const char *what) {
  if (status != CL_SUCCESS) {
    fprintf(stderr, "%s: OpenCL error %d\n", what, (int)status);
    exit(1);
  }
}

static char *read_file(const char *name) {
  FILE *f = fopen(name, "rb");
  if (!f) {
    fprintf(stderr, "%s cannot be read; run this in its folder\n", name);
    exit(1);
  }
  fseek(f, 0, SEEK_END);
  long length = ftell(f);
  rewind(f);
  char *text = malloc((size_t)length + 1);
  if (!text || fread(text, 1, (size_t)length, f) != (size_t)length) {
    exit(1);
  }
  text[length] = 0;
  fclose(f);
  return text;
}

static void launch(cl_command_queue queue, cl_kernel *kernels, cl_mem *device, int k, cl_event *event) {
  const ks_kernel *kernel = &ks_kernels[k];
  for (int i = 0; i < kernel->arguments; ++i) {
    check(clSetKernelArg(kernels[k], (cl_uint)i, sizeof(cl_mem), &device[kernel->argument[i]]), "clSetKernelArg");
  }
  size_t local[3], global[3];
  for (int d = 0; d < 3; ++d) {
    local[d] = kernel->block[d];
    global[d] = (size_t)kernel->grid[d] * kernel->block[d];
  }
  check(clEnqueueNDRangeKernel(queue, kernels[k], 3, NULL, global, local, 0, NULL, event), kernel->name);
}

int main(void) {
  cl_platform_id platform;
  cl_device_id id;
  cl_int status;
  check(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
  check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &id, NULL), "clGetDeviceIDs");
  cl_context context = clCreateContext(NULL, 1, &id, NULL, NULL, &status);
  check(status, "clCreateContext");
  cl_command_queue queue = clCreateCommandQueue(context, id, CL_QUEUE_PROFILING_ENABLE, &status);
  check(status, "clCreateCommandQueue");
  const char *source = read_file("kernels.cl");
  cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &status);
  check(status, "clCreateProgramWithSource");
  check(clBuildProgram(program, 1, &id, "", NULL, NULL), "clBuildProgram");
  cl_kernel kernels[KS_KERNELS];
  for (int k = 0; k < KS_KERNELS; ++k) {
    kernels[k] = clCreateKernel(program, ks_kernels[k].name, &status);
    check(status, ks_kernels[k].name);
  }
  float *host[KS_BUFFERS];
  cl_mem device[KS_BUFFERS];
  for (int b = 0; b < KS_BUFFERS; ++b) {
    host[b] = ks_fill(b);
    device[b] = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, ks_buffers[b].floats * sizeof(float), host[b], &status);
    check(status, "clCreateBuffer");
  }
  for (int k = 0; k < KS_KERNELS; ++k) {
    if (ks_kernels[k].setup) {
      launch(queue, kernels, device, k, NULL);
    }
  }
  double best = 0;
  for (int run = 0; run < 5; ++run) {
    cl_event first = NULL, last = NULL;
    for (int k = 0; k < KS_KERNELS; ++k) {
      if (!ks_kernels[k].setup) {
        launch(queue, kernels, device, k, &last);
        if (!first) {
          first = last;
        }
      }
    }
    check(clFinish(queue), "kernels");
    cl_ulong start, end;
    check(clGetEventProfilingInfo(first, CL_PROFILING_COMMAND_START, sizeof start, &start, NULL), "clGetEventProfilingInfo");
    check(clGetEventProfilingInfo(last, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL), "clGetEventProfilingInfo");
    double milliseconds = (double)(end - start) * 1e-6;
    best = run == 0 || milliseconds < best ? milliseconds : best;
  }
  check(clEnqueueReadBuffer(queue, device[KS_OUTPUT_BUFFER], CL_TRUE, 0, ks_buffers[KS_OUTPUT_BUFFER].floats * sizeof(float), host[KS_OUTPUT_BUFFER], 0, NULL, NULL),
        "clEnqueueReadBuffer");
  return ks_report(host, best);
}
