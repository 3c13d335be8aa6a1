import {
  CreateSecretCommand,
  DeleteSecretCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
  paginateListSecrets,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { type ProviderSecrets, parseSecrets } from '../../shared/store/worlds/provider-secrets.ts';
import { secretsPrefixOf } from '../aws/stage.ts';
import { explain } from './cloud.ts';
import type { SecretKeeper } from './secret-keeper.ts';

/** The secrets of each connected world of a stage: a secret of AWS Secrets Manager, named by stage and world. */
export class StageSecrets implements SecretKeeper {
  readonly #client = new SecretsManagerClient();
  readonly #prefix: string;
  readonly #kmsKey: string | null;

  /** @param kmsKey the key that encrypts them: null for AWS's own */
  constructor(stackName: string, kmsKey: string | null) {
    this.#prefix = secretsPrefixOf(stackName);
    this.#kmsKey = kmsKey;
  }

  async read(worldId: string): Promise<ProviderSecrets | null> {
    const SecretId = this.#nameOf(worldId);
    const found = await unlessMissing(this.#client.send(new GetSecretValueCommand({ SecretId })));
    try {
      return found && parseSecrets(String(found.SecretString));
    } catch {
      throw new Error(`The secret ${SecretId} is damaged: connect again.`);
    }
  }

  async write(worldId: string, secrets: ProviderSecrets): Promise<void> {
    await this.writeText(this.#nameOf(worldId), JSON.stringify(secrets));
  }

  /** @param Name the whole name, also of what is no provider's */
  async writeText(Name: string, SecretString: string): Promise<void> {
    const replaced = await unlessMissing(
      this.#client.send(new PutSecretValueCommand({ SecretId: Name, SecretString })),
    );
    if (replaced === null) {
      const Description = 'A secret of the payment service, created by "pg admin".';
      const encrypted = this.#kmsKey === null ? {} : { KmsKeyId: this.#kmsKey };
      const command = new CreateSecretCommand({ Name, SecretString, Description, ...encrypted });
      await explained(this.#client.send(command));
    }
  }

  async remove(worldId: string): Promise<void> {
    await this.#delete(this.#nameOf(worldId));
  }

  /** Removes the secrets of all worlds. */
  async removeAll(): Promise<void> {
    const Filters = [{ Key: 'name' as const, Values: [this.#prefix] }];
    const names: string[] = [];
    await explained(
      (async () => {
        for await (const { SecretList = [] } of paginateListSecrets({ client: this.#client }, { Filters })) {
          names.push(...SecretList.flatMap(({ Name }) => Name ?? []));
        }
      })(),
    );
    for (const name of names.filter((each) => each.startsWith(this.#prefix))) {
      await this.#delete(name);
    }
  }

  /** Deletes at once, without a recovery window: the provider can issue new secrets, which need the name. */
  async #delete(SecretId: string): Promise<void> {
    const command = new DeleteSecretCommand({ SecretId, ForceDeleteWithoutRecovery: true });
    await unlessMissing(this.#client.send(command));
  }

  #nameOf(worldId: string): string {
    return `${this.#prefix}${worldId}`;
  }
}

function unlessMissing<Answer>(call: Promise<Answer>): Promise<Answer | null> {
  return explained(
    call.catch((error: Error) => {
      if (error.name !== 'ResourceNotFoundException') {
        throw error;
      }
      return null;
    }),
  );
}

function explained<Answer>(call: Promise<Answer>): Promise<Answer> {
  return call.catch((error) => {
    throw explain(error);
  });
}
