import { SCHEMAS } from '@plat/contract/schemas';
import { describe, expect, it } from 'vitest';
import { fieldsOf } from './field.ts';

function fieldOf(schema: keyof typeof SCHEMAS, name: string) {
  return fieldsOf(SCHEMAS[schema]).find(([field]) => field === name)?.[1];
}

describe('the option for a property of a schema', () => {
  it('accepts only the values of a closed list', () => {
    expect(fieldOf('ClientUpdateParams', 'status')).toMatchObject({
      placeholder: 'active|inactive',
      values: ['active', 'inactive'],
      required: false,
    });
  });

  it('accepts newer values of a list that the service extends', () => {
    expect(fieldOf('WebhookEndpointCreateParams', 'events')).toEqual({
      kind: 'texts',
      summary: 'event types to send; * stands for all, including later ones',
      placeholder: 'type,…',
      nullable: false,
      required: true,
    });
    expect(fieldOf('EventListParams', 'type')).not.toHaveProperty('values');
  });

  it('can unset a nullable property, and does not offer its second name', () => {
    expect(fieldOf('ClientUpdateParams', 'domain')).toMatchObject({ nullable: true, placeholder: 'domain' });
    expect(fieldOf('ClientUpdateParams', 'custom_domain')).toBeUndefined();
  });

  it('shows bounds, the prefix of an id, and the accepted forms of a time', () => {
    expect(fieldOf('SettingsUpdateParams', 'launch_token_ttl_seconds')?.summary).toMatch(/ \(60 to 3600\)$/);
    expect(fieldOf('PaymentListParams', 'invoice_id')?.summary).toMatch(/ \(inv_…\)$/);
    expect(fieldOf('AuditEventListParams', 'created_after')).toMatchObject({
      kind: 'time',
      summary: expect.stringMatching(/ISO 8601/),
    });
  });

  it('has help in lower case, without Markdown and without undefined', () => {
    for (const schema of Object.values(SCHEMAS)) {
      for (const [name, { summary }] of fieldsOf(schema)) {
        expect(summary, name).not.toMatch(/`|undefined|\.$|^[A-Z][a-z]|^null when/);
        expect(summary, name).toMatch(/\S/);
      }
    }
  });
});
