/// <reference lib="dom" />
import { render } from 'preact';
import { LANGUAGE } from '../../story/language.ts';
import { Gate } from '../call/gate.ts';
import { App } from './app.tsx';

document.documentElement.lang = LANGUAGE;
const { root = '', testKit } = document.body.dataset;
const gate = new Gate(root);
gate.unlockFromTab();
// Before anything else: nothing may read the key in the address.
const given = gate.unlockFromAddress();
const target = document.getElementById('app');
if (target !== null) {
  // In a task of its own, so that what the user does meanwhile need not wait for both.
  setTimeout(() =>
    render(<App root={root} hasTestKit={testKit === 'on'} gate={gate} given={given} />, target),
  );
}
