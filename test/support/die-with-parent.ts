/* Loaded into the hosts that tests start: where a test run is killed, none of them is left behind. */
process.on('disconnect', () => process.exit(1));
