CUDA_INCLUDED += \
	cuda/common/aggregate.cuh \
	cuda/common/algorithm.h \
	cuda/common/ballot_ranks.cuh \
	cuda/common/block_sum.cuh \
	cuda/common/bulk.cuh \
	cuda/common/choose_ring.h \
	cuda/common/copy.cuh \
	cuda/common/key_vectors.cuh \
	cuda/common/last_block.cuh \
	cuda/common/lookback.cuh \
	cuda/common/lookback_state.cuh \
	cuda/common/map.cuh \
	cuda/common/op.cuh \
	cuda/common/ring.cuh \
	cuda/common/ring_launch.cuh \
	cuda/common/row_ranks.cuh \
	cuda/common/scan_tile.cuh \
	cuda/common/shape.cuh \
	cuda/common/thread.cuh \
	cuda/common/tile.cuh \
	cuda/common/unit.cuh \
	cuda/common/warp.cuh
