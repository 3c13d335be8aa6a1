import { parseDurationSeconds } from './duration.ts';

/* The forms of options: what commands take, as data. */

/** An option. `value` is the name of its value in the help; a switch has none. */
export interface OptionForm<Value = unknown> {
  readonly value?: string;
  readonly says: string;
  readonly isRequired?: boolean;
  readonly byDefault?: Value;
  /** Whether it can be given several times. Any other one that has a value is refused the second time. */
  readonly isRepeated?: boolean;
  /** What the completion of a shell offers as its value. */
  readonly choices?: readonly string[];
  /** @throws Error whose message follows the name of the option: "takes …" */
  read?(text: string, earlier?: Value): Value;
}
export type Options = Readonly<Record<string, OptionForm>>;

type ValueOf<Form> =
  Form extends OptionForm<infer Value>
    ? Form extends { readonly isRequired: true } | { readonly byDefault: Value }
      ? Value
      : Value | undefined
    : never;
/** The values of options by their names. */
export type ValuesOf<Forms> = { readonly [Name in keyof Forms]: ValueOf<Forms[Name]> };
export const toggle = (says: string): OptionForm<boolean> & { readonly byDefault: boolean } => ({
  says,
  byDefault: false,
});

export const text = (value: string, says: string): OptionForm<string> => ({ value, says });

export const oneOf = <const Choice extends string>(
  value: string,
  choices: readonly Choice[],
  says = choices.join(', '),
): OptionForm<Choice> => ({
  value,
  says,
  choices,
  read: (given) => {
    const chosen = choices.find((choice) => choice === given);
    if (chosen === undefined) {
      throw new Error(`takes one of: ${choices.join(', ')}.`);
    }
    return chosen;
  },
});

/** A text that has to have a form. */
export const formed = (
  value: string,
  says: string,
  takes: string,
  isRight: (given: string) => boolean,
): OptionForm<string> => ({
  value,
  says,
  read: (given) => {
    if (!isRight(given)) {
      throw new Error(`takes ${takes}.`);
    }
    return given;
  },
});

/** The address of a service. */
export const address = (says: string): OptionForm<string> =>
  formed(
    'URL',
    says,
    'an http or https URL without user name, query and fragment: http://127.0.0.1:8000',
    (given) => /^https?:\/\/[^\s\\?#@]+$/.test(given) && URL.canParse(given),
  );

export const number = (value: string, says: string): OptionForm<number> => ({
  value,
  says,
  read: (given) => {
    if (!/^[1-9]\d{0,8}$/.test(given)) {
      throw new Error('takes a number from 1 to 999999999.');
    }
    return Number(given);
  },
});

/** A number that the service checks. Text that is not a number is sent unchanged, so that the service reports it. */
export const count = (value: string, says: string): OptionForm<number | string> => ({
  value,
  says,
  read: (given) => (/^\d+$/.test(given) ? Number(given) : given),
});

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;

/** In milliseconds. */
export const instant = (says: string): OptionForm<number> => ({
  value: 'INSTANT',
  says,
  read: (given) => {
    if (!INSTANT.test(given) || !Number.isFinite(Date.parse(given))) {
      throw new Error('takes a time with its zone: 2026-11-29T10:15:00+07:00 or 2026-11-29T03:15:00Z.');
    }
    return Date.parse(given);
  },
});

/** In seconds. */
export const duration = (says: string): OptionForm<number> => ({
  value: 'DURATION',
  says,
  read: parseDurationSeconds,
});

export const required = <Form extends OptionForm>(form: Form) => ({ ...form, isRequired: true }) as const;

export const orElse = <Value>(form: OptionForm<Value>, byDefault: NoInfer<Value>) => ({ ...form, byDefault });

/** An option that can be given several times. */
export const several = <Value>(
  { read, ...form }: OptionForm<Value>,
  most: number,
): OptionForm<readonly Value[]> => ({
  ...(form as OptionForm<never>),
  isRepeated: true,
  read: (given, earlier = []) => {
    if (earlier.length === most) {
      throw new Error(`can be given at most ${most} times.`);
    }
    return [...earlier, read === undefined ? (given as Value) : read(given)];
  },
});
