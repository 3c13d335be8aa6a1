/** `payer@example.com` → `p***@e***.com`: enough to recognise, too little to write to. */
export function maskEmail(email: string): string {
  const [local = '', domain = ''] = email.split('@');
  const end = domain.includes('.') ? domain.slice(domain.lastIndexOf('.')) : '';
  return `${[...local].slice(0, 1).join('')}***@${[...domain].slice(0, 1).join('')}***${end}`;
}
