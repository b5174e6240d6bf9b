// expand_launch.cuh - the launches that write the elements of runs: the runs of each tile are found, and the tiles
// expand them.
#ifndef SK_CUDA_EXPAND_LAUNCH_CUH
#define SK_CUDA_EXPAND_LAUNCH_CUH

#include "common/map.cuh"
#include "device/arena.cuh"
#include "rle/expand.cuh"

template <class Tile, class Source> scankit_error expand_tiles(cuda_device *gpu, Source source, expand_arguments to)
{
    using U = typename Source::type;
    constexpr unsigned TILE = Tile::SIZE;
    to.lead = unsigned(uintptr_t(to.out) % 16 / sizeof(U));
    size_t tiles = (to.lead + to.n - 1) / TILE + 1;
    workspace scratch(gpu);
    if (to.total == nullptr) {
        if (!scratch.take(&to.tile_runs, tiles + 1))
            return SCANKIT_E_MEMORY;
        TRY(launch(gpu, find_tile_runs, map_blocks(tiles + 1), MAP_THREADS, 0, to, TILE, tiles));
    }
    return launch(gpu, expand<Tile, Source>, unsigned(tiles), EXPAND_THREADS, 0, to, source);
}

#endif
