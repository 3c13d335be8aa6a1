#!/bin/sh
# What LocalStack finds as its own Java: it starts DynamoDB Local from the folder JARS, on the loopback address alone.
# LocalStack would download a Java, a DynamoDB Local that listens on every interface, and an agent that patches it.
# Of its arguments, those after `-jar FILE` are DynamoDB Local's.
while [ "$1" != -jar ]; do
  shift
done
shift 2
folder=$HOME/java
mkdir -p "$folder"
exec sh "$LEASH" "$folder" "$JAVA" -Xmx512m -Dhost=127.0.0.1 -Djava.io.tmpdir="$folder" -Djava.library.path="$JARS" \
  -cp "$JARS/*" "$STARTER" "$@" -disableTelemetry
