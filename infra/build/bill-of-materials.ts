import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import manifest from '../../package.json' with { type: 'json' };

const OUTPUT_MAX_BYTES = 16_000_000;

interface Component {
  readonly 'bom-ref': string;
  readonly name: string;
  readonly version: string;
  readonly [more: string]: unknown;
}

/** A software bill of materials, in CycloneDX. */
export interface BillOfMaterials {
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly components: readonly Component[];
  readonly [more: string]: unknown;
}

interface NamedPackage {
  readonly name: string;
  readonly version: string;
}

/**
 * The bill of this repository: all that its lock names, as npm prints it, but for what differs at each call and for
 * the name, which npm takes of the folder.
 */
export async function billOfRepository(root: string): Promise<BillOfMaterials> {
  const args = ['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx'];
  const { stdout } = await promisify(execFile)('npm', args, { cwd: root, maxBuffer: OUTPUT_MAX_BYTES });
  const { serialNumber: _, metadata, ...bill } = JSON.parse(stdout) as BillOfMaterials;
  const { timestamp: __, component, ...rest } = metadata;
  return { ...bill, metadata: { ...rest, component: { ...Object(component), name: manifest.name } } };
}

/**
 * The bill of a package that has others in it.
 * @param repository the bill of the repository that builds it
 * @param bundled what lies in it
 * @throws Error if the lock lacks one of them
 */
export function billOfBundle(
  repository: BillOfMaterials,
  { name, version, description }: NamedPackage & { readonly description: string },
  bundled: readonly NamedPackage[],
): BillOfMaterials {
  const ref = `${name}@${version}`;
  const components = bundled.map((each) => {
    const known = repository.components.find((one) => one['bom-ref'] === `${each.name}@${each.version}`);
    if (known === undefined) {
      throw new Error(`package-lock.json has no ${each.name} ${each.version}`);
    }
    // What tools of the repository are called does not matter where they are part of a program.
    const { properties: _, ...component } = known;
    return { ...component, scope: 'required' };
  });
  const component = {
    'bom-ref': ref,
    type: 'library',
    name,
    version,
    description,
    purl: `pkg:npm/${name}@${version}`,
  };
  return {
    ...repository,
    metadata: { ...repository.metadata, component },
    components,
    dependencies: [{ ref, dependsOn: components.map((each) => each['bom-ref']) }],
  };
}
