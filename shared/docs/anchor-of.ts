/** The words of a heading in lower case: `before-the-first-payment`. That of a question of the exam is its id alone. */
export function anchorOf(heading: string): string {
  const [, id = heading] = /^([A-Z]{3}-\d{2}): /.exec(heading) ?? [];
  return id
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}
