// Platform owns what a party needs from its surroundings, as small protocols with in-memory forms. It knows no role.
