import { expect, test } from 'vitest';
import { maskEmail } from '../../shared/pages/mask-email.ts';

test.each([
  ['payer@example.com', 'p***@e***.com'],
  ['p@e.co', 'p***@e***.co'],
  ['somchai.k@mail.example.co.th', 's***@m***.th'],
  ['root@localhost', 'r***@l***'],
])('%s is shown as %s', (email, masked) => {
  expect(maskEmail(email)).toBe(masked);
});
