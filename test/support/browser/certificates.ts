import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];

/** As PEM. */
export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

/**
 * Makes an authority of the test's own, and certificates that it has signed, each valid for a day.
 * @param names the subject of each, in the notation of OpenSSL: `DNS:example.com`, `IP:192.0.2.1`
 */
export async function newCertificates(names: readonly string[]) {
  const cwd = await mkdtemp(path.join(tmpdir(), 'payments-certificates-'));
  const openssl = (...args: string[]) => promisify(execFile)('openssl', args, { cwd });
  const read = (file: string) => readFile(path.join(cwd, file), 'utf8');
  try {
    const subject = ['-subj', '/CN=Authority of a test', '-days', '1'];
    await openssl('req', '-x509', ...KEY, ...subject, '-keyout', 'ca.key', '-out', 'ca.pem');
    const certificates: Certificate[] = [];
    for (const name of names) {
      await openssl('req', '-new', ...KEY, '-subj', '/CN=Receiver', '-keyout', 'key', '-out', 'request');
      await writeFile(path.join(cwd, 'extensions'), `subjectAltName=${name}`);
      const signing = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-extfile', 'extensions'];
      await openssl('x509', '-req', '-in', 'request', ...signing, '-days', '1', '-out', 'cert');
      certificates.push({ key: await read('key'), cert: await read('cert') });
    }
    return { ca: await read('ca.pem'), certificates };
  } finally {
    await rm(cwd, { recursive: true });
  }
}
