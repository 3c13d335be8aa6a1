/** What can be wrong with one field (contract §2). */
export type FieldErrorCode =
  | 'required'
  | 'type'
  | 'format'
  | 'too_long'
  | 'too_short'
  | 'min'
  | 'max'
  | 'enum'
  | 'unknown'
  | 'mismatch'
  | 'conflict'
  /** Well formed, but never accepted. */
  | 'forbidden';

export interface FieldError {
  readonly code: FieldErrorCode;
  /** Dotted path of the field: `amount.minor`. */
  readonly field: string;
  readonly message: string;
}
