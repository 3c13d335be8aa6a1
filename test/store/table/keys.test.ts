import { expect, it } from 'vitest';
import { worldIdOf } from '../../../shared/domain/world.ts';
import { scopeOf } from '../../../shared/store/table/keys.ts';
import { aWorld } from '../../support/world/entities.ts';

it('keys keep the items of a world apart from those before a purge and from every other world', () => {
  const scopes = [
    aWorld(),
    aWorld({ epoch: 2 }),
    aWorld({ epoch: 11 }),
    aWorld({ id: worldIdOf('x', 'test') }),
  ];
  expect(new Set(scopes.map(scopeOf)).size).toBe(scopes.length);
});
