/// <reference lib="dom" />
import { render } from 'preact';
import { createGate } from '../call/gate.ts';
import { App } from './app.tsx';

const { root = '', testKit } = document.body.dataset;
const gate = createGate(root);
gate.unlockFromTab();
// Before anything else: nothing may read the key in the address.
const given = gate.unlockFromAddress();
const place = document.getElementById('app');
if (place !== null) {
  // In a task of its own, so that what the user does meanwhile need not wait for both.
  setTimeout(() =>
    render(<App root={root} hasTestKit={testKit === 'on'} gate={gate} given={given} />, place),
  );
}
