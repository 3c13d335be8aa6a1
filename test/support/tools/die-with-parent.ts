/* Loaded into the hosts that tests start: they end when the test run is killed. */
process.on('disconnect', () => process.exit(1));
