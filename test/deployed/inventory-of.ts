import { stackNameOf } from '../../infra/stage.ts';

/**
 * The things of some stages, as `takeInventory` lists them: what an account has of them, and so what is left of them
 * after their removal.
 */
export async function inventoryOf(stages: readonly string[]): Promise<string[]> {
  const { takeInventory } = await loadInventory();
  // Some physical names have lost their dashes.
  const marks = stages.map((name) => stackNameOf(name).replaceAll('-', ''));
  return (await takeInventory()).filter((item) =>
    marks.some((mark) => item.replaceAll('-', '').includes(mark)),
  );
}

/**
 * The inventory of stages that are deployed.
 * @param unmade the kinds of which they have none
 * @throws Error where it misses a kind of thing: it would also miss what remains of that kind
 */
export async function wholeInventoryOf(
  stages: readonly string[],
  unmade: readonly string[] = [],
): Promise<string[]> {
  const { kinds } = await loadInventory();
  const present = await inventoryOf(stages);
  const unseen = kinds.filter(
    (kind) => !unmade.includes(kind) && !present.some((item) => item.startsWith(`${kind} `)),
  );
  if (unseen.length > 0) {
    throw new Error(`of ${stages.join(' and ')}, no ${unseen.join(', no ')} is seen`);
  }
  return present;
}

function loadInventory() {
  // Loaded when the environment names the target, for the clients read it.
  return import('./inventory.ts');
}
