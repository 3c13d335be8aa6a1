import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { chooseEngine, type Surroundings } from '../../../infra/local/engine-choice.ts';

const ENDPOINT = new URL('http://127.5.6.7:6667');
const PACKAGED = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64', 'win32-x64'];

/** A machine with nothing to run an engine with. */
function bare(target: string): Surroundings {
  const [platform, arch] = target.split('-') as [NodeJS.Platform, string];
  return {
    platform,
    arch,
    folderOfPackage: () => null,
    namedJars: undefined,
    usualJars: null,
    hasJava: () => false,
  };
}

function withPackage(target: string): Surroundings {
  const folderOfPackage = (name: string) => (name === `@dynoxide/${target}` ? `/packages/${target}` : null);
  return { ...bare(target), folderOfPackage };
}

describe('the engine', () => {
  test.each(PACKAGED)('is the package for %s where it is installed, whatever else is there', (target) => {
    const { name, program } = chooseEngine({
      ...withPackage(target),
      usualJars: '/jars',
      hasJava: () => true,
    });
    const file = target === 'win32-x64' ? 'dynoxide.exe' : 'dynoxide';
    expect([name, program]).toEqual(['dynoxide', `/packages/${target}/${file}`]);
  });

  test.each([...PACKAGED, 'freebsd-x64'])(
    'is DynamoDB Local on %s where there are its jars and Java alone',
    (target) => {
      const { name, program } = chooseEngine({ ...bare(target), usualJars: '/jars', hasJava: () => true });
      expect([name, program]).toEqual(['DynamoDB Local', 'java']);
    },
  );

  test('is DynamoDB Local if its folder is configured, whatever else is installed', () => {
    const named = {
      ...withPackage('linux-x64'),
      namedJars: '/mine',
      usualJars: '/jars',
      hasJava: () => true,
    };
    expect(chooseEngine(named).args(ENDPOINT, null).join(' ')).toContain(`-cp ${path.join('/mine', '*')}`);
    expect(() => chooseEngine({ ...named, hasJava: () => false })).toThrow('in /mine');
  });

  test('is chosen without the slow check for Java where Java makes no difference', () => {
    const hasJava = () => {
      throw new Error('Java was asked');
    };
    chooseEngine({ ...withPackage('linux-x64'), usualJars: '/jars', hasJava });
    expect(() => chooseEngine({ ...bare('darwin-arm64'), hasJava })).toThrow('npm install');
  });

  test.each(PACKAGED)('that is missing on %s comes with the command that installs its package', (target) => {
    expect(() => chooseEngine(bare(target))).toThrow(`\n  npm install --no-save @dynoxide/${target}\n`);
  });

  test('without a package for its platform, or with jars but no Java, names alternatives', () => {
    expect(() => chooseEngine(bare('freebsd-x64'))).toThrow(
      /found none for freebsd-x64\.(?!.*npm install).*mvn -q -f infra\/local\/dynamodb-local\.xml.*AWS_ENDPOINT_URL_DYNAMODB=/s,
    );
    expect(() => chooseEngine({ ...bare('freebsd-x64'), usualJars: '/jars' })).toThrow(
      /a Java development kit.*in \/jars/,
    );
  });

  test('listens only at the given address, and keeps data in the given file or in memory', () => {
    const dynoxide = chooseEngine(withPackage('linux-x64'));
    expect(dynoxide.args(ENDPOINT, '/data/file.db').join(' ')).toBe(
      'serve --host 127.5.6.7 --port 6667 --db-path /data/file.db',
    );
    expect(dynoxide.args(ENDPOINT, null)).not.toContain('--db-path');
    const aws = chooseEngine({ ...bare('linux-x64'), usualJars: '/jars', hasJava: () => true });
    expect(aws.args(ENDPOINT, '/data/file.db').join(' ')).toMatch(
      /^-Dhost=127\.5\.6\.7 .*DynamoDbOnLoopback\.java -port 6667 -sharedDb -disableTelemetry -dbPath \/data$/,
    );
    expect(aws.args(ENDPOINT, null)).toContain('-inMemory');
  });
});
