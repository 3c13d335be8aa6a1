/**
 * Everything of the account in use, as `takeInventory` lists it, that belongs to some deployment.
 * @param isOwn whether a thing does
 */
export async function inventoryOf(isOwn: (item: string) => boolean): Promise<string[]> {
  const { takeInventory } = await loadInventory();
  return (await takeInventory()).filter(isOwn);
}

/**
 * The inventory of what is deployed.
 * @param unmade the kinds of which there is none
 * @throws Error where it misses a kind of thing: it would also miss what remains of that kind
 */
export async function wholeInventoryOf(
  isOwn: (item: string) => boolean,
  unmade: readonly string[] = [],
): Promise<string[]> {
  const { kinds } = await loadInventory();
  const present = await inventoryOf(isOwn);
  const unseen = kinds.filter(
    (kind) => !unmade.includes(kind) && !present.some((item) => item.startsWith(`${kind} `)),
  );
  if (unseen.length > 0) {
    throw new Error(`of what is deployed, no ${unseen.join(', no ')} is seen`);
  }
  return present;
}

function loadInventory() {
  // Loaded when the environment names the target, for the clients read it.
  return import('./inventory.ts');
}
