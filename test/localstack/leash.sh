#!/bin/sh
# leash.sh FOLDER PROGRAM [ARGUMENT ...]: runs a program, and ends it when standard input closes, so that nothing is
# left running even after a kill -9 of the process at the other end. Removes the program's folder when it has ended.
folder=$1
shift
exec 3<&0
"$@" <&3 3<&- &
program=$!
{
  cat <&3 >/dev/null
  kill "$program"
  # LocalStack takes long to shut down, and has nothing to save.
  for _ in 1 2 3 4 5; do
    sleep 1
    kill -0 "$program" || exit
  done
  kill -9 "$program"
} 2>/dev/null &
exec 3<&-
# The reader of this output may be gone, too: a complaint about a killed program must not end this.
trap '' PIPE
wait "$program"
code=$?
rm -rf -- "$folder"
exit "$code"
