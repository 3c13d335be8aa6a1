export const providerNotificationDocs = {
  operations: {
    receiveNotification: [
      'Receive a notification from a payment provider',
      'Signed by the provider, at a URL with an unguessable token. A notification is only a hint: the service retrieves the state from the provider and records that.',
    ],
  },
  paths: {
    'providers/{provider}': 'Name of the provider: `stripe`.',
    '{provider}/{token}': 'The token of the connection: the last part of its webhook URL.',
  },
} as const;
