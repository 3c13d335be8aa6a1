/** What the payer has to do next, by the kind of method (contract §5). */
export type NextAction =
  | { readonly type: 'display_qr'; readonly qr: { readonly payload: string; readonly imageSvgUrl: string } }
  | { readonly type: 'redirect'; readonly url: string }
  | {
      readonly type: 'bank_transfer';
      readonly bankCode: string;
      readonly accountNumber: string;
      readonly accountName: string;
      readonly reference: string;
    };
