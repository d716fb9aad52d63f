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
sed 's/^/    /' out/dashwood.txt
echo
echo "Its first captions (out/dashwood.srt; the same in out/dashwood.vtt):"
echo
awk 'BEGIN { RS = ""; ORS = "\n\n" } NR <= 3' out/dashwood.srt | sed 's/^/    /'
echo "The recording: examples/dashwood.opus"
