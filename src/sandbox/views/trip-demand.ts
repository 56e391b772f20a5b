import type { Stored } from '../store.ts';

/** The driver's planning, which hangs under the demand that the trip makes. */
function planning(trip: Stored): Record<string, unknown>[] {
  const { Datum = null, Van = null, Tot = null } = trip.values;
  if (trip.id % 3 === 0) return [];
  const times = { Datum, Vertrek: Van, Van, Tot, Retour: Tot };
  return [
    {
      PlanningID: trip.id + 20_000,
      BehoefteID: trip.id + 10_000,
      WerknemerID: 11 + (trip.id % 4),
      CompetentieID: 1,
      ...times,
      MedewerkerAkkoordDatum: null,
      MedewerkerAkkoord: trip.id % 2 === 0,
      MedewerkerOpmerking: '',
      PlanningOpmerking: '',
      Invoerdatum: trip.values.LMTCreated ?? null,
      LMT: trip.values.LMTCreated ?? null,
      Ziek: false,
      EigenAuto: false,
      PlanningAkkoordStatusID: 1,
    },
  ];
}

/** What a trip asks of the planning (interface 2.9). */
export function demand(trip: Stored, event: Stored | undefined): Record<string, unknown> {
  const { Datum = null, Van = null, Tot = null, PartijID = null, Omschrijving = '' } = trip.values;
  return {
    BehoefteID: trip.id + 10_000,
    BehoefteTypeID: 2,
    PartijID,
    LocatieID: event?.values.LocatieID ?? null,
    AfdelingID: 2,
    Datum,
    AantalPersonen: 1,
    Van,
    Tot,
    CompetentieID: 1,
    Vertrek: Van,
    Retour: Tot,
    Omschrijving,
    RitID: trip.id,
    planning: planning(trip),
  };
}
