#!/bin/sh
# The main job, start to end: what a recogniser wrote becomes text and captions. Run it with: make demo
set -eu
cd "$(dirname "$0")/.."
words=examples/dashwood.whisper.json
mkdir -p out

echo "What the recogniser wrote ($words):"
echo
text=$(python -c "import interpunct, sys; print(interpunct.read(sys.argv[1]).text)" "$words")
echo "$text" | fold -s -w 76 | head -n 3 | sed 's/^/    /'
echo "    ..."

for ending in txt srt vtt; do
    interpunct restore "$words" -o "out/dashwood.$ending"
done

echo
echo "Restored (out/dashwood.txt):"
echo
fold -s -w 76 out/dashwood.txt | sed 's/^/    /'
echo
echo "Its first captions (out/dashwood.srt; the same in out/dashwood.vtt):"
echo
head -n 7 out/dashwood.srt | sed 's/^/    /'
echo
echo "The recording: examples/dashwood.opus"
