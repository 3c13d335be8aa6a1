/** How the recorded example of a resource becomes the one that an event reports. */
export interface ReportedResource {
  /** The operation whose recorded response is the resource. */
  readonly of: string;
  /** The statuses of the resource, each with the minute after its creation in which the resource got it. */
  readonly statuses: readonly (readonly [status: string, minute: number])[];
  readonly changes?: Readonly<Record<string, unknown>>;
  /** Set where no request caused the event. */
  readonly isByTime?: true;
}
