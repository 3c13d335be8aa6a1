import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import {
  type BillOfMaterials,
  billOfBundle,
  billOfRepository,
} from '../../../infra/build/bill-of-materials.ts';
import { buildPackage, PACKAGE } from '../../../infra/build/build-package.ts';
import lock from '../../../package-lock.json' with { type: 'json' };
import { installNodePackages } from '../../support/tools/node-packages.ts';

const dir = await mkdtemp(path.join(tmpdir(), 'payments-bill-'));
afterAll(() => rm(dir, { recursive: true }));
const ofRepository = await billOfRepository(process.cwd());
await buildPackage(dir, ofRepository);
const read = (name: string) => readFile(path.join(dir, name), 'utf8');
const ofPackage = JSON.parse(await read('sbom.cdx.json')) as BillOfMaterials;

/** What CycloneDX's own validator says of a bill; null where it is valid. */
async function judged(bill: object): Promise<unknown> {
  const folder = await installNodePackages('cyclonedx', path.join(import.meta.dirname, 'cyclonedx'));
  const { Validation } = createRequire(path.join(folder, 'package.json'))('@cyclonedx/cyclonedx-library');
  return new Validation.JsonStrictValidator('1.5').validate(JSON.stringify(bill));
}

const refsOf = ({ components }: BillOfMaterials) => components.map((each) => each['bom-ref']);

test('the bills of materials of the package and of the repository are valid CycloneDX', async () => {
  expect(await judged(ofPackage)).toBeNull();
  expect(await judged(ofRepository)).toBeNull();
});

test('a bill that is no CycloneDX is refused', async () => {
  expect(await judged({ ...ofPackage, components: [{ name: 'nameless' }] })).not.toBeNull();
});

test("the package's bill has each bundled package, with its hash and its license, and no more", async () => {
  const notices = [...(await read('THIRD-PARTY.txt')).matchAll(/^((?:@[\w-]+\/)?[\w.-]+) (\d\S*) \(/gm)];
  const bundled = notices.map(([, name, version]) => `${name}@${version}`);
  expect(refsOf(ofPackage).toSorted()).toEqual(bundled.toSorted());
  expect(bundled.length).toBeGreaterThan(30);
  for (const component of ofPackage.components) {
    expect(component).toMatchObject({
      scope: 'required',
      hashes: [{ alg: 'SHA-512', content: expect.stringMatching(/^[0-9a-f]{128}$/) }],
      licenses: [expect.anything()],
    });
  }
  expect(ofPackage.metadata.component).toMatchObject({ name: PACKAGE, purl: `pkg:npm/${PACKAGE}@0.1.0` });
});

test("the repository's bill has each package of the lock", () => {
  const locked = Object.entries<{ version?: string; name?: string }>(lock.packages).flatMap(
    ([folder, { version, name }]) =>
      folder === '' ? [] : [`${name ?? folder.replace(/^.*node_modules\//, '')}@${version}`],
  );
  expect(new Set(refsOf(ofRepository))).toEqual(new Set(locked));
  expect(ofRepository.metadata.component).toMatchObject({ name: 'payments' });
});

test('a bill is the same each time', async () => {
  expect(await billOfRepository(process.cwd())).toEqual(ofRepository);
});

test('a package that the lock does not have ends the build', () => {
  const about = { name: PACKAGE, version: '0.1.0', description: 'A package' };
  expect(() => billOfBundle(ofRepository, about, [{ name: 'stray', version: '1.0.0' }])).toThrow(
    'package-lock.json has no stray 1.0.0',
  );
});

test('the package names what is in it, and is published by a workflow alone, with its proof', async () => {
  const { files, publishConfig, repository } = JSON.parse(await read('package.json'));
  expect(files).toEqual(expect.arrayContaining(['pg.js', 'sbom.cdx.json', 'THIRD-PARTY.txt']));
  expect(publishConfig).toEqual({ access: 'public', provenance: true });
  const isInWorkflow = process.env.GITHUB_REPOSITORY !== undefined;
  expect(repository === undefined).toBe(!isInWorkflow);
});
