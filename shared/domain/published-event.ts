/** An event that has left the outbox: it has its sequence number, and its body is final to the byte. */
export interface PublishedEvent {
  readonly id: string;
  readonly type: string;
  readonly resourceId: string;
  readonly sequence: number;
  /** What is sent, signed and shown: JSON. */
  readonly body: string;
}
