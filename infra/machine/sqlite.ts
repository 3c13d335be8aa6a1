/*
 * Node's own SQLite. Node 22 warns that it is an experiment, where Node 24 has it for good: users of a command line can do
 * nothing about that.
 */
const { emitWarning } = process;
process.emitWarning = () => undefined;
export const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
process.emitWarning = emitWarning;

export type Database = InstanceType<typeof DatabaseSync>;
