export const keyDocs = {
  getKey: [
    'Retrieve the key of the request',
    'What the key that you call with may do, and whose world it works in. Every key may call it, whatever its permissions.',
  ],
  Key: {
    about: 'An API key, without its secret.',
    id: 'The id of the key.',
    label: 'What an operator called the key; null if nothing.',
    mode: 'Mode of the key: `test` or `live`.',
    merchant: 'The merchant that the key belongs to.',
    merchant_name: "The merchant's name as payers read it; null if none was set.",
    permissions: 'What the key may do.',
    expires_at: 'Time from which the key is refused, in real time; null if it has no end.',
    world:
      'The world that the key works in. A change of it means that all ids, cursors and sequence numbers are others.',
  },
} as const;
