/** The event under which a person's openings of sealed records stand in the decision record. */
export const exposureEvent = 'sealed-record-opened';
