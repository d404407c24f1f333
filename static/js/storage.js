// JSON values in the storage of the browser, which may be disabled or full: then nothing is stored.

class JsonStorage {
  #area; // a function, because even access may be refused

  constructor(area) {
    this.#area = area;
  }

  #attempt(action) {
    try {
      return action(this.#area());
    } catch {
      return null;
    }
  }

  keys() {
    return this.#attempt((area) => Object.keys(area)) ?? [];
  }

  // Return null if there is no such value.
  read(key) {
    return this.#attempt((area) => JSON.parse(area.getItem(key)));
  }

  write(key, value) {
    this.#attempt((area) => area.setItem(key, JSON.stringify(value)));
  }

  remove(key) {
    this.#attempt((area) => area.removeItem(key));
  }
}

export const local = new JsonStorage(() => localStorage);
export const session = new JsonStorage(() => sessionStorage);
