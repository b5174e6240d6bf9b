// compile.cu - compiles predicates for the GPU with NVRTC, if that library is installed. source.cu writes the source,
// which includes the files that the other kernels are built from. Each device keeps its compiled kernels.
#include <dlfcn.h>
#include <nvrtc.h>

#include <cstring>
#include <new>
#include <string>
#include <vector>

#include "compact/choose.h"
#include "compact/predicate.cuh"
#include "device/check.cuh"

// ---- the files that a kernel includes ----

struct source_file {
    const char *name, *text;
};

static const source_file sources[] = {
#include <cuda/embedded.inc>
};
constexpr int SOURCES = sizeof sources / sizeof *sources;

// ---- NVRTC ----

struct nvrtc_library {
    decltype(&nvrtcCreateProgram) create;
    decltype(&nvrtcCompileProgram) compile;
    decltype(&nvrtcGetCUBINSize) cubin_size;
    decltype(&nvrtcGetCUBIN) cubin;
    decltype(&nvrtcGetProgramLogSize) log_size;
    decltype(&nvrtcGetProgramLog) log;
    decltype(&nvrtcDestroyProgram) destroy;
    bool there;
};

template <class F> static bool find(void *library, const char *name, F *function)
{
    *function = reinterpret_cast<F>(dlsym(library, name));
    return *function != nullptr;
}

static nvrtc_library open_nvrtc()
{
    nvrtc_library nvrtc = {};
    std::string versioned = "libnvrtc.so." + std::to_string(CUDART_VERSION / 1000);
    void *library = dlopen(versioned.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr)
        library = dlopen("libnvrtc.so", RTLD_NOW | RTLD_LOCAL);
    nvrtc.there =
        library != nullptr && find(library, "nvrtcCreateProgram", &nvrtc.create) &&
        find(library, "nvrtcCompileProgram", &nvrtc.compile) && find(library, "nvrtcGetCUBINSize", &nvrtc.cubin_size) &&
        find(library, "nvrtcGetCUBIN", &nvrtc.cubin) && find(library, "nvrtcGetProgramLogSize", &nvrtc.log_size) &&
        find(library, "nvrtcGetProgramLog", &nvrtc.log) && find(library, "nvrtcDestroyProgram", &nvrtc.destroy);
    return nvrtc;
}

static const nvrtc_library &nvrtc()
{
    static const nvrtc_library library = open_nvrtc(); // once, for all threads
    return library;
}

// Keeps the first line of the compiler's messages.
static scankit_error say_log(cuda_device *gpu, nvrtcProgram compilation)
{
    size_t size = 0;
    nvrtc().log_size(compilation, &size);
    std::string log(size + 1, '\0');
    nvrtc().log(compilation, log.data());
    std::snprintf(gpu->base.detail, sizeof gpu->base.detail, "NVRTC: %.*s", int(strcspn(log.c_str(), "\n")),
                  log.c_str());
    return SCANKIT_E_DEVICE;
}

static scankit_error compile(cuda_device *gpu, const std::string &source, std::vector<char> *cubin)
{
    const char *names[SOURCES], *texts[SOURCES];
    for (int i = 0; i < SOURCES; i++) {
        names[i] = sources[i].name;
        texts[i] = sources[i].text;
    }
    int major, minor;
    CHECK(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, gpu->ordinal));
    CHECK(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, gpu->ordinal));
    std::string arch = "--gpu-architecture=sm_" + std::to_string(10 * major + minor);
    // Without fused multiply-add, results have the same bits as on other devices.
    const char *options[] = {arch.c_str(), "--std=c++20", "--fmad=false"};

    nvrtcProgram compilation;
    if (nvrtc().create(&compilation, source.c_str(), "predicate.cu", SOURCES, texts, names) != NVRTC_SUCCESS)
        return SCANKIT_E_MEMORY;
    size_t size = 0;
    scankit_error error = SCANKIT_OK;
    if (nvrtc().compile(compilation, 3, options) != NVRTC_SUCCESS ||
        nvrtc().cubin_size(compilation, &size) != NVRTC_SUCCESS) {
        error = say_log(gpu, compilation);
    } else {
        cubin->resize(size);
        if (nvrtc().cubin(compilation, cubin->data()) != NVRTC_SUCCESS)
            error = SCANKIT_E_DEVICE;
    }
    nvrtc().destroy(&compilation);
    return error;
}

// ---- the cache of kernels ----

struct kept_kernel {
    uint64_t program;
    kernel_body body;
    double interpreted; // steps times elements, so far
    scankit_error error;
    cudaLibrary_t library; // NULL until it is compiled
    cudaKernel_t kernel;
};

struct kernel_cache {
    std::vector<kept_kernel> kernels; // the oldest first
};

constexpr size_t KERNELS_KEPT = 64;

void cuda_close_kernels(cuda_device *gpu)
{
    if (gpu->kernels == nullptr)
        return;
    for (kept_kernel &kept : gpu->kernels->kernels)
        if (kept.library != nullptr)
            cudaLibraryUnload(kept.library);
    delete gpu->kernels;
    gpu->kernels = nullptr;
}

static kept_kernel &find_kernel(cuda_device *gpu, const sk_program &program, kernel_body body)
{
    if (gpu->kernels == nullptr)
        gpu->kernels = new kernel_cache;
    std::vector<kept_kernel> &kernels = gpu->kernels->kernels;
    for (kept_kernel &kept : kernels)
        if (kept.program == program.id && kept.body == body)
            return kept;
    if (kernels.size() == KERNELS_KEPT) {
        if (kernels.front().library != nullptr) {
            cudaStreamSynchronize(gpu->stream); // it may run
            cudaLibraryUnload(kernels.front().library);
        }
        kernels.erase(kernels.begin());
    }
    kernels.push_back({program.id, body, 0, SCANKIT_OK, nullptr, nullptr});
    return kernels.back();
}

static scankit_error load(cuda_device *gpu, const std::vector<char> &cubin, kept_kernel &kept)
{
    CHECK(cudaLibraryLoadData(&kept.library, cubin.data(), nullptr, nullptr, 0, nullptr, nullptr, 0));
    CHECK(cudaLibraryGetKernel(&kept.kernel, kept.library, "kernel"));
    return SCANKIT_OK;
}

scankit_error compiled_kernel(cuda_device *gpu, const sk_program &program, kernel_body body, cudaKernel_t *kernel)
{
    kept_kernel &kept = find_kernel(gpu, program, body);
    if (kept.kernel == nullptr && kept.error == SCANKIT_OK) {
        std::vector<char> cubin;
        if (!nvrtc().there) {
            std::snprintf(gpu->base.detail, sizeof gpu->base.detail,
                          "NVRTC, which compiles predicates, is not installed");
            kept.error = SCANKIT_E_NO_DEVICE;
        } else {
            kept.error = compile(gpu, kernel_source(program, body), &cubin);
        }
        if (kept.error == SCANKIT_OK)
            kept.error = load(gpu, cubin, kept);
    }
    *kernel = kept.kernel;
    return kept.error;
}

bool compiled_kernel_pays(cuda_device *gpu, const sk_program &program, kernel_body body, size_t n, cudaKernel_t *kernel)
{
    kept_kernel &kept = find_kernel(gpu, program, body);
    *kernel = kept.kernel;
    if (kept.kernel != nullptr || kept.error != SCANKIT_OK)
        return kept.kernel != nullptr;
    if (kept.interpreted < COMPILE_AFTER_STEPS) {
        kept.interpreted += double(n) * program.step_count;
        return false;
    }
    return compiled_kernel(gpu, program, body, kernel) == SCANKIT_OK && *kernel != nullptr;
}
