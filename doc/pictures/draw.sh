#!/bin/sh
# draw.sh - draws the pictures of the pages into this folder. scene and gpuimg are found in PATH.
set -eu
cd "$(dirname "$0")"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

scene picture 640 360 >"$folder/scene.ppm"
scene depth 640 360 >"$folder/depth.pfm"
scene ramp 640 360 >"$folder/ramp.pfm"

gpuimg dof --depth="$folder/depth.pfm" --focus=3 --aperture=10 "$folder/scene.ppm" near.png
gpuimg dof --depth="$folder/depth.pfm" --focus=5.5 --aperture=10 "$folder/scene.ppm" middle.png
gpuimg dof --depth="$folder/depth.pfm" --focus=15 --aperture=10 "$folder/scene.ppm" far.png
gpuimg blur --radius-map="$folder/ramp.pfm" "$folder/scene.ppm" ramp.png
gpuimg mipmap --atlas "$folder/scene.ppm" pyramid.png

# Pictures of a plane to the horizon: the first one has moire.
scene plane-nearest 640 240 >"$folder/nearest.ppm"
scene plane-trilinear 640 240 >"$folder/trilinear.ppm"
gpuimg blur --radius=0 "$folder/nearest.ppm" nearest.png
gpuimg blur --radius=0 "$folder/trilinear.ppm" trilinear.png
