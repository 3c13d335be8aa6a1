/* How people type these programs: from a clone, from a project that has the package, or by npx without it. */

/** The name of the npm package, where this runs from it. */
declare const BUILT_PACKAGE: string | undefined;
const packageName = typeof BUILT_PACKAGE === 'undefined' ? null : BUILT_PACKAGE;

/** Whether this runs from the package, which has no source. */
export const IS_PACKAGED = packageName !== null;

/** The command line of the API. */
export const PROGRAM =
  packageName !== null && process.env.npm_command === 'exec' ? `npx ${packageName}` : 'pg';

/** What starts the service. */
export const START = IS_PACKAGED ? `${PROGRAM} start` : 'npm start';

/** What starts the service with options: `npm start -- --fresh`. */
export function startWith(options: string): string {
  return IS_PACKAGED ? `${START} ${options}` : `${START} -- ${options}`;
}
