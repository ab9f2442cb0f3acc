import { expect, test } from 'vitest';
import { explainConfig } from './explain-config.ts';

test.each(['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'PLAT_BASE_URL'])(
  'a password in %s is not shown',
  (variable) => {
    const { settings } = explainConfig({ [variable]: 'https://plat:hush-1@traces.example/v1?token=hush-2' });
    const value = 'https://plat:[redacted]@traces.example/v1?[redacted]';
    expect(settings).toContainEqual({ variable, value, source: 'environment' });
  },
);
