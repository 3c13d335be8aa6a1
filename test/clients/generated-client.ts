/** A client that one generator makes from the document, and a program that reads responses with it. */
export interface GeneratedClient {
  /** The generator with its version. */
  readonly name: string;
  /** Installs its tools, if they are missing. */
  install(): Promise<void>;
  /**
   * Generates a client into a folder.
   * @throws Error with the message of the generator
   */
  generate(document: string, dir: string): Promise<void>;
  /** The operations that the client has, in the spelling of its language. */
  operationsIn(dir: string): Promise<string[]>;
  /** Compiles it, as strictly as its language can, with the program beside it. */
  compile(dir: string): Promise<void>;
  /** The command that runs the program. */
  commandIn(dir: string): readonly [command: string, ...args: string[]];
}
