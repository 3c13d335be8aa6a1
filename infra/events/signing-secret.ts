import { derivedBytes } from '../../shared/domain/secret.ts';
import {
  isSecretOf,
  type SchemeName,
  type Signer,
  schemeOf,
} from '../../shared/webhooks/signature-schemes.ts';
import { UsageError } from '../terminal/command.ts';
import type { ClientConnection } from '../terminal/service.ts';

/** Bytes that are derived from a key for another purpose have another label. */
const LABEL = 'signing secret of forwarded events';
const SHOWN_CHARS = 10;
const DEFAULT_SCHEME: SchemeName = 'standardwebhooks';

/** What signs, and how output names its secret. */
export interface NamedSigner extends Signer {
  /** What a developer compares with the secret of the receiver: `whsec_AbCd…`, or the variable that holds it. */
  readonly shown: string;
  /** The secret where it may be printed: null where it is the receiver's own. */
  readonly printable: string | null;
  /** The options that choose it. */
  readonly options: string;
}

/** The options of a command that signs. */
export interface SignerValues {
  readonly scheme?: SchemeName | undefined;
  readonly 'secret-env'?: string | undefined;
  readonly 'print-secret'?: boolean | undefined;
}

/**
 * The scheme and the secret of the options. @param env of the process
 * @throws UsageError that does not contain the secret
 */
export async function readSigner(
  run: Pick<ClientConnection, 'client' | 'key'> & { readonly values: SignerValues },
  env: NodeJS.ProcessEnv = process.env,
): Promise<NamedSigner> {
  const { scheme = DEFAULT_SCHEME, 'secret-env': name, 'print-secret': isPrinted = false } = run.values;
  if (name === undefined) {
    return signerOf(await readSigningSecret(run, scheme), scheme);
  }
  if (isPrinted) {
    throw new UsageError(
      '--print-secret prints the secret of this key, and --secret-env names your own: give one of them.',
    );
  }
  const secret = env[name] ?? '';
  if (!isSecretOf(scheme, secret)) {
    throw new UsageError(
      `--secret-env: the variable is not set, or holds no secret of the scheme ${scheme}.`,
    );
  }
  return {
    scheme,
    secret,
    shown: `the secret in ${name}`,
    printable: null,
    options: `${optionsOf(scheme)} --secret-env ${name}`,
  };
}

/**
 * What signs with a secret that may be printed.
 * @internal
 */
export function signerOf(secret: string, scheme: SchemeName = DEFAULT_SCHEME): NamedSigner {
  return { scheme, secret, shown: shownSecret(secret), printable: secret, options: optionsOf(scheme) };
}

function optionsOf(scheme: SchemeName): string {
  return scheme === DEFAULT_SCHEME ? '' : ` --scheme ${scheme}`;
}

/**
 * The secret that signs what this machine sends to a receiver, in the form of the scheme: `whsec_…`. It follows from the
 * API key and its world, so it is the same from every folder, by every command and in every order, and is kept nowhere.
 * @internal
 */
export async function readSigningSecret(
  { client, key }: Pick<ClientConnection, 'client' | 'key'>,
  scheme: SchemeName = DEFAULT_SCHEME,
) {
  const { world } = await client.getKey();
  return schemeOf({ scheme }).newSecret(derivedBytes(key, `${LABEL}\n${world}`));
}

/**
 * What a developer compares with the secret of the receiver: `whsec_AbCd…`.
 * @internal
 */
export function shownSecret(secret: string): string {
  return `${secret.slice(0, SHOWN_CHARS)}…`;
}
