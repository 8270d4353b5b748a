import { render } from 'solid-js/web';

import { App } from './app.tsx';
import './style.css';

render(() => <App />, document.querySelector('#page')!);
