import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { objectExample } from '../../shared/docs/object-examples.ts';
import { objectPage } from '../../shared/docs/object-page.ts';
import { documentAt } from '../../shared/docs/service-document.ts';

// As its readers get it.
const document: ReturnType<typeof documentAt> = JSON.parse(
  JSON.stringify(documentAt('https://pay.example.com')),
);
const ajv = new Ajv2020({ strict: false, validateFormats: false }).addSchema(document, 'document');
const objects = Object.entries(document.components.schemas)
  .filter(([, schema]) => schema.enum === undefined)
  .map(([name]) => name);

describe.each(objects)('the page of the object %s', (name) => {
  it('has an example that is valid for its schema', () => {
    const example = objectExample(document, name);
    ajv.validate({ $ref: `document#/components/schemas/${name}` }, example);
    expect(ajv.errors).toBeNull();
    expect(objectPage(document, '', name)?.body.text).toContain('<h2>Example</h2>');
  });
});

describe('the example of an object', () => {
  it('is the whole response or request where there is one', () => {
    expect(objectExample(document, 'Payment')).toMatchObject({ reference: 'order-1042' });
    expect(objectExample(document, 'AdvanceClockRequest')).toHaveProperty('seconds');
  });

  it('is otherwise a value within one', () => {
    expect(objectExample(document, 'Money')).toEqual({ currency: 'THB', minor: 129_900 });
    expect(objectExample(document, 'NextAction')).toMatchObject({ type: 'display_qr' });
    expect(objectExample(document, 'PaymentStatusAt')).toMatchObject({ status: 'created' });
  });
});
