/** What one generator makes of the document, from the document to an answer that a program of its language has read. */
export interface GeneratedClient {
  /** The generator with its version. */
  readonly name: string;
  /** Installs what it takes, where it is not there yet. */
  install(): Promise<void>;
  /**
   * Generates a client into a folder.
   * @throws Error with what the generator complained of
   */
  generate(document: string, dir: string): Promise<void>;
  /** The operations that the client has, in the spelling of its language. */
  operationsIn(dir: string): Promise<string[]>;
  /** Compiles it, as strictly as its language can, with the program beside it. */
  compile(dir: string): Promise<void>;
  /** The command that runs the program. */
  commandIn(dir: string): readonly [command: string, ...args: string[]];
}
