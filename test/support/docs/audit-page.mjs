export { auditReference as auditPage } from '../../../dist/src/replay/audit/reference.js';
