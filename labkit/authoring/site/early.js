// In the page, before JupyterLab: starts the worker that its kernel will ask for, and
// hands it over then. A kernel that is started again gets a worker of its own.
if (!crossOriginIsolated) {
  const { kernel, early } = document.currentScript.dataset;
  const asked = new URL(kernel, location).href;
  const Plain = Worker;
  let started = new Plain(new URL(early, location), { type: "module" });
  window.Worker = class Worker extends Plain {
    constructor(url, options) {
      if (started && String(url) === asked) {
        const worker = started;
        started = null;
        return worker;
      }
      super(url, options);
    }
  };
}
