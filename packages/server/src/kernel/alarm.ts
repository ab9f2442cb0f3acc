/** A sleep that `ring` ends. A ring between two sleeps ends the next one, so that no ring is missed. */
export class Alarm {
  #isRung = false;
  #wakeUp: () => void = () => undefined;

  ring(): void {
    this.#isRung = true;
    this.#wakeUp();
  }

  async sleep(ms: number): Promise<void> {
    if (!this.#isRung && ms > 0) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, ms);
      this.#wakeUp = resolve;
      await promise;
      clearTimeout(timer);
    }
    this.#isRung = false;
  }
}
