CUDA_SOURCES += \
	cuda/compact/collect.cu \
	cuda/compact/compact.cu \
	cuda/compact/compile.cu \
	cuda/compact/program.cu \
	cuda/compact/single_pass.cu \
	cuda/compact/source.cu \
	cuda/compact/split_flags.cu \
	cuda/compact/within.cu
CUDA_INCLUDED += \
	cuda/compact/bound.cuh \
	cuda/compact/choose.h \
	cuda/compact/collect.cuh \
	cuda/compact/compact_part.cuh \
	cuda/compact/compact_tiles.cuh \
	cuda/compact/element.cuh \
	cuda/compact/interpret.cuh \
	cuda/compact/launcher.cuh \
	cuda/compact/predicate.cuh \
	cuda/compact/ring_compact.cuh \
	cuda/compact/split_tiles.cuh \
	cuda/compact/stand_ins.inc \
	cuda/compact/within.cuh
