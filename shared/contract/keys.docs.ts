export const keyDocs = {
  operations: {
    getKey: [
      'Retrieve the key of the request',
      'Returns the permissions, the merchant and the world of the API key of this request. Every key can call it.',
    ],
  },
  schemas: {
    Key: {
      about: 'An API key, without its secret.',
      id: 'The id of the key.',
      label: 'The name that an operator gave the key; null if none was given.',
      mode: 'Mode of the key: `test` or `live`.',
      merchant: 'The merchant that the key belongs to.',
      merchant_name: "The merchant's name as payers read it; null if none was set.",
      permissions: 'The permissions of the key.',
      expires_at: 'Time from which the key is refused, in real time; null if it has no end.',
      world:
        'The world that the key works in. It changes with a purge: then ids, cursors and sequence numbers start anew.',
    },
  },
} as const;
