import { Router } from 'express';
import { parseJsonBody, readSmallBody } from '../http/body.ts';
import { sendJson } from '../http/respond.ts';
import type { Faults } from './faults.ts';
import { readFault } from './read-fault.ts';

/** `/_dev/faults`: adds, lists and removes faults. */
export function faultRoutes(faults: Faults): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.post('/_dev/faults', readSmallBody, (req, res) => {
    const fault = readFault({ ...parseJsonBody(req) });
    sendJson(res, 201, JSON.stringify(faults.add(fault)));
  });
  router.get('/_dev/faults', (_req, res) => {
    sendJson(res, 200, JSON.stringify({ object: 'list', data: faults.list(), has_more: false, url: '/_dev/faults' }));
  });
  router.delete('/_dev/faults', (_req, res) => {
    const cleared = faults.list().length;
    faults.clear();
    sendJson(res, 200, JSON.stringify({ object: 'dev_faults', cleared }));
  });
  router.delete('/_dev/faults/:id', (req, res) => {
    const { id } = req.params;
    faults.remove(id);
    sendJson(res, 200, JSON.stringify({ object: 'dev_fault', id, deleted: true }));
  });
  return router;
}
