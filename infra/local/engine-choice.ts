import path from 'node:path';
import { START } from '../terminal/program-name.ts';

/*
 * Chooses the DynamoDB-compatible engine that stores the data, and how to start it: dynoxide, a small program with an
 * npm package for each platform, or else AWS's own DynamoDB Local, which needs Java.
 */

/** The means of this machine to run an engine. */
export interface Surroundings {
  readonly platform: NodeJS.Platform;
  readonly arch: string;
  /** The folder of an npm package; null if it is not installed. */
  readonly folderOfPackage: (name: string) => string | null;
  /** The folder with the jars of DynamoDB Local that a variable names; undefined if it is not set. */
  readonly namedJars: string | undefined;
  /** The usual folder, if it exists. */
  readonly usualJars: string | null;
  readonly hasJava: () => boolean;
}

/** An engine as a program: it listens only at an endpoint, and its data is in a file or, for null, in memory. */
export interface Engine {
  readonly name: 'dynoxide' | 'DynamoDB Local';
  readonly program: string;
  readonly args: (endpoint: URL, file: string | null) => readonly string[];
}

/** The folder that `JARS_INSTALLATION` fills, in the home of the user. */
export const USUAL_JARS = ['.cache', 'payments', 'dynamodb-local'] as const;
const JARS_INSTALLATION = 'mvn -q -f infra/local/dynamodb-local.xml dependency:copy-dependencies';

/** The platforms for which dynoxide is published. */
const PACKAGED = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64', 'win32-x64'];

/** @throws Error that explains how to install an engine, if there is none */
export function chooseEngine(surroundings: Surroundings): Engine {
  const { platform, arch, folderOfPackage, namedJars, usualJars, hasJava } = surroundings;
  const target = `${platform}-${arch}`;
  const folder = namedJars === undefined ? folderOfPackage(`@dynoxide/${target}`) : null;
  const jars = namedJars ?? usualJars;
  if (folder !== null) {
    return dynoxide(path.join(folder, platform === 'win32' ? 'dynoxide.exe' : 'dynoxide'));
  }
  if (jars !== null && hasJava()) {
    return dynamoDbLocal(jars);
  }
  throw new Error(
    [
      `The service needs an engine to keep its data, and found none for ${target}. Any one of these will do:`,
      ...(PACKAGED.includes(target) ? [`  npm install --no-save @dynoxide/${target}`] : []),
      jars === null
        ? `  ${JARS_INSTALLATION}   (AWS's DynamoDB Local; takes a Java development kit, 17 or newer, and Maven)`
        : `  a Java development kit, 17 or newer, on the PATH: DynamoDB Local is there, in ${jars}`,
      `  AWS_ENDPOINT_URL_DYNAMODB=http://127.0.0.1:8000 ${START}   (names an engine that runs already)`,
    ].join('\n'),
  );
}

function dynoxide(program: string): Engine {
  return {
    name: 'dynoxide',
    program,
    args: ({ hostname, port }, file) => [
      ...['serve', '--host', hostname, '--port', port],
      ...(file === null ? [] : ['--db-path', file]),
    ],
  };
}

function dynamoDbLocal(jars: string): Engine {
  // AWS's archive has the libraries in a folder of their own, Maven puts everything in one.
  const folders = [jars, path.join(jars, 'DynamoDBLocal_lib')];
  return {
    name: 'DynamoDB Local',
    program: 'java',
    args: ({ hostname, port }, file) => [
      `-Dhost=${hostname}`,
      `-Djava.library.path=${folders.join(path.delimiter)}`,
      '-cp',
      folders.map((folder) => path.join(folder, '*')).join(path.delimiter),
      path.join(import.meta.dirname, 'DynamoDbOnLoopback.java'),
      ...['-port', port, '-sharedDb', '-disableTelemetry'],
      ...(file === null ? ['-inMemory'] : ['-dbPath', path.dirname(file)]),
    ],
  };
}
