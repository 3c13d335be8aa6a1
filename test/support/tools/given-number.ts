/**
 * A whole number that the environment gives, such as how many seeds are tried.
 * @throws Error for any other text: a test that counts to NaN asks nothing, and passes
 */
export function givenNumber(name: string, byDefault: number): number {
  const given = process.env[name];
  if (given === undefined) {
    return byDefault;
  }
  if (!/^\d{1,9}$/.test(given)) {
    throw new Error(`${name} takes a whole number from 0 to 999999999.`);
  }
  return Number(given);
}
