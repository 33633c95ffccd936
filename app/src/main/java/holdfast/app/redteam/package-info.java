/**
 * The red team: what would break a rule, on the user's data. A {@link holdfast.app.redteam.RedTeamPlan} says which rules,
 * attacks, shifts and numbers of liars; {@link holdfast.app.redteam.RedTeam} trains every combination, remembering each in
 * a {@link holdfast.app.redteam.Journal}; {@link holdfast.app.redteam.RedTeamResults} has the numbers and
 * {@link holdfast.app.redteam.RedTeamReport} shows them. {@link holdfast.app.redteam.Breakpoints} asks for one number per
 * rule: the share of liars that defeats it.
 */
package holdfast.app.redteam;
