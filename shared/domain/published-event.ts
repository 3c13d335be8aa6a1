/** An event that has left the outbox: it has its sequence number, and its body never changes again. */
export interface PublishedEvent {
  readonly id: string;
  readonly type: string;
  readonly resourceId: string;
  readonly sequence: number;
  /** Its place in the event log: the sequence number of the first event of its commit. */
  readonly place: number;
  /** JSON: the exact text that is sent, signed and shown. */
  readonly body: string;
}
