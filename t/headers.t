#!/usr/bin/perl
# What contactfit init takes a column for: headers as people write them, each alone in a table.

use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use File::Temp qw(tempdir);
use Program;
use Test::More;

chdir tempdir(CLEANUP => 1) or die;

# header | quantity | its unit, with "?" where the header names none and it is assumed; "-" is none.
# What could be two quantities is here the one without which the table were no experiment; where it
# is asked is in t/init.t.
my %table = (
    impact => <<'END',
v_impact_m_s                            | speed                     | m/s
v_impacts_m_s                           | speed                     | m/s
v1 [m/s]                                | speed                     | m/s
approach speed                          | speed                     | m/s?
speed_m_s                               | speed                     | m/s
Speed (m/s)                             | speed                     | m/s
impact velocity [cm/s]                  | speed                     | cm/s
Impact Velocity / (m/s)                 | speed                     | m/s
v_mm_s                                  | speed                     | mm/s
v0_m_per_s                              | speed                     | m/s
impact speed in m/s                     | speed                     | m/s
Impact speed, m/s                       | speed                     | m/s
velocity_before [km/h]                  | speed                     | km/h
v_in [m s^-1]                           | speed                     | m s^-1
v_in (m s⁻¹)                            | speed                     | m s⁻¹
ImpactSpeed_mps                         | speed                     | m/s
collision speed (meters per second)     | speed                     | m/s
V                                       | speed                     | m/s?
v-approach                              | speed                     | m/s?
initial velocity of the ball (m/s)      | speed                     | m/s
h_drop_m                                | drop_height               | m
Drop height [cm]                        | drop_height               | cm
drop_height_mm                          | drop_height               | mm
h0 / mm                                 | drop_height               | mm
h₀ (cm)                                 | drop_height               | cm
Fall height (inch)                      | drop_height               | inch
height of fall in m                     | drop_height               | m
release_height_cm                       | drop_height               | cm
dropHeight [m]                          | drop_height               | m
coefficient_of_restitution              | restitution               | 1
Coefficient of restitution              | restitution               | 1
Coefficient of Restitution [-]          | restitution               | 1
coeff. of restitution                   | restitution               | 1
restitution coefficient (-)             | restitution               | 1
e_n                                     | restitution               | 1
e                                       | restitution               | 1
COR                                     | restitution               | 1
COR (%)                                 | restitution               | %
e [1]                                   | restitution               | 1
ε                                       | restitution               | 1
mean e                                  | restitution               | 1
max_force_N                             | peak_force                | N
Maximum force (kN)                      | peak_force                | kN
peak force [N]                          | peak_force                | N
F_max [N]                               | peak_force                | N
Fmax_kN                                 | peak_force                | kN
F_peak / N                              | peak_force                | N
peak contact force, mN                  | peak_force                | mN
t_contact_ms                            | duration                  | ms
Contact duration [us]                   | duration                  | us
contact time (µs)                       | duration                  | µs
contact_time_ms                         | duration                  | ms
t_c [ms]                                | duration                  | ms
tc_us                                   | duration                  | us
Duration of contact / ms                | duration                  | ms
impact duration (milliseconds)          | duration                  | ms
h_rebound_mm                            | rebound_height            | mm
Rebound height [cm]                     | rebound_height            | cm
h2 [cm]                                 | rebound_height            | cm
bounce height in cm                     | rebound_height            | cm
return height (m)                       | rebound_height            | m
v_rebound_m_s                           | rebound_speed             | m/s
rebound velocity [m/s]                  | rebound_speed             | m/s
v2 [m/s]                                | rebound_speed             | m/s
v_out (m/s)                             | rebound_speed             | m/s
speed after impact [m/s]                | rebound_speed             | m/s
max. compression [mm]                   | depth                     | mm
maximum_deformation_um                  | depth                     | um
delta_max (mm)                          | depth                     | mm
penetration depth / µm                  | depth                     | µm
sigma_e                                 | -                         |
u_e                                     | -                         |
drop                                    | -                         |
bounce                                  | -                         |
contact                                 | -                         |
trial                                   | -                         |
mass_g                                  | -                         |
temperature [°C]                        | -                         |
Velocity of impact [m/s]                | speed                     | m/s
v_normal (m/s)                          | speed                     | m/s
velocity_in_m_per_s                     | speed                     | m/s
v_pre_impact_m_s                        | speed                     | m/s
speed before bounce [m/s]               | speed                     | m/s
v (m/sec)                               | speed                     | m/sec
impact_velocity_mps                     | speed                     | m/s
H (mm)                                  | drop_height               | mm
hdrop                                   | drop_height               | m?
C.O.R.                                  | restitution               | 1
maxForce_N                              | peak_force                | N
dwell time (ms)                         | duration                  | ms
Contact_Time(us)                        | duration                  | us
rebound_vel_m_s                         | rebound_speed             | m/s
penetration_max_mm                      | depth                     | mm
h1 [cm]                                 | drop_height               | cm
rebound 1 (cm)                          | -                         |
time_s                                  | -                         |
v_min                                   | -                         |
max. Kraft [N]                          | peak_force                | N
END
    bounce => <<'END',
t                                       | time                      | s?
time [s]                                | time                      | s
bounce_time_s                           | time                      | s
t_impact_ms                             | time                      | ms
event_time_s                            | time                      | s
Time (s)                                | time                      | s
timestamp                               | time                      | s?
Time stamp / ms                         | time                      | ms
time of impact [s]                      | time                      | s
impact time in s                        | time                      | s
trial                                   | throw                     | 1
run number                              | throw                     | 1
bounce times (s)                        | time                      | s
timestamps                              | time                      | s?
END
    slide => <<'END',
v [mm/s]                                | speed                     | mm/s
sliding speed (m/s)                     | speed                     | m/s
slip_velocity_um_s                      | speed                     | um/s
relative velocity / m/s                 | speed                     | m/s
friction force [N]                      | force                     | N
Frictional force (mN)                   | force                     | mN
F_t [N]                                 | force                     | N
F_friction_N                            | force                     | N
tangential force / N                    | force                     | N
lateral force (N)                       | force                     | N
normal load N                           | load                      | N
normal_force_N                          | load                      | N
Fn [N]                                  | load                      | N
F_n (kN)                                | load                      | kN
F_N                                     | force                     | N
mu                                      | coefficient               | 1
µ                                       | coefficient               | 1
COF                                     | coefficient               | 1
coefficient of friction [-]             | coefficient               | 1
Friction coefficient                    | coefficient               | 1
Fx [N]                                  | force                     | N
Fz [N]                                  | load                      | N
Normal Force (N)                        | load                      | N
Geschwindigkeit [m/s]                   | speed                     | m/s
n                                       | -                         |
END
    slide_rotary => <<'END',
speed_rad_s                             | speed                     | rad/s
omega [rad/s]                           | speed                     | rad/s
ω (rad/s)                               | speed                     | rad/s
speed_rpm                               | speed                     | rpm
angular velocity in deg/s               | speed                     | deg/s
joint velocity (rad/s)                  | speed                     | rad/s
rotational speed / rpm                  | speed                     | rpm
torque_Nm                               | torque                    | N m
Torque [mNm]                            | torque                    | mNm
friction torque (N m)                   | torque                    | N m
tau [Nm]                                | torque                    | Nm
qd [rad/s]                              | speed                     | rad/s
END
    indent => <<'END',
depth_um                                | depth                     | um
indentation [nm]                        | depth                     | nm
displacement_mm                         | depth                     | mm
z piezo                                 | depth                     | m?
Z piezo (µm)                            | depth                     | µm
piezo position [um]                     | depth                     | um
penetration depth in nm                 | depth                     | nm
crosshead displacement (mm)             | depth                     | mm
force_mN                                | force                     | mN
load [uN]                               | force                     | uN
load_uN                                 | force                     | uN
Force (nN)                              | force                     | nN
F / N                                   | force                     | N
normal force [mN]                       | force                     | mN
t_s                                     | time                      | s
time [ms]                               | time                      | ms
Displacement Into Surface (nm)          | depth                     | nm
Load On Sample (mN)                     | force                     | mN
P (mN)                                  | force                     | mN
END
    oblique => <<'END',
angle_deg                               | angle                     | deg
theta [deg]                             | angle                     | deg
θ (°)                                   | angle                     | °
impact angle / deg                      | angle                     | deg
angle of incidence (degrees)            | angle                     | deg
angle [degrees]                         | angle                     | deg
theta [from normal]                     | angle                     | rad?
incidence_angle_rad                     | angle                     | rad
rebound angle                           | rebound_angle             | rad?
rebound_angle_deg                       | rebound_angle             | deg
angle of reflection [deg]               | rebound_angle             | deg
spin after (rad/s)                      | rebound_spin              | rad/s
omega_out [rad/s]                       | rebound_spin              | rad/s
initial spin [rpm]                      | spin                      | rpm
spin_rad_s                              | rebound_spin              | rad/s
omega [rad/s]                           | rebound_spin              | rad/s
e_t                                     | tangential_restitution    | 1
tangential restitution                  | tangential_restitution    | 1
tangential coefficient of restitution   | tangential_restitution    | 1
normal restitution [-]                  | restitution               | 1
e_n                                     | restitution               | 1
impact speed [m/s]                      | speed                     | m/s
impulse ratio                           | impulse_ratio             | 1
angular velocity after impact [rad/s]   | rebound_spin              | rad/s
normal COR                              | restitution               | 1
END
);

# What a draft takes a column for, and the unit that it states: ("speed", "m/s?"); "-": for nothing.
sub taken_for
{
    my ($protocol, $header) = @_;
    (my $quoted = $header) =~ s/"/""/g;
    spew('one.csv', "\"$quoted\"\n1\n2\n");
    my ($status, $study, $said) = contactfit('init', '-q', $protocol, 'one.csv');
    return ("refused: $said", "") if $status != 0;
    my (@name, $unit, $mark);
    for my $line (grep { !/^\s*#/ } split /\n/, $study) {
        $line =~ /^      (\w+): (?:FILL-IN    # )?\{from: (.*)/ or next;
        my ($name, $rest) = ($1, $2);
        next if $rest =~ /^FILL-IN/;
        push @name, $name;
        ($unit) = $rest =~ /, unit: ([^,}]*)/;
        $mark = $rest =~ /is it/ ? '?' : '';
    }
    return ('-', '') if !@name;
    return (join(' or ', @name), defined $unit ? $unit =~ s/^'(.*)'$/$1/r . $mark : undef);
}

my ($n, $known) = (0, 0);
for my $protocol (sort keys %table) {
    for (split /\n/, $table{$protocol}) {
        my ($header, $name, $unit) = map { s/^\s+|\s+$//gr } split /\|/;
        $unit //= '';
        my ($got, $stated) = taken_for($protocol, $header);
        # a unit that the study does not state is one that the reader of tables finds in the header
        my $ending = $unit =~ s{/|\^}{_}gr =~ s/ //gr;
        $stated //= $header =~ /(?:\[\Q$unit\E\]|_\Q$ending\E|_m_per_s)$/ || $unit eq '1' ? $unit : 'none';
        my $want = "$name $unit";
        $got .= " $stated";
        $n++;
        $known += $got eq $want;
        is($got, $want, "$protocol: $header");
    }
}
diag("$known of $n headers") if $known < $n;

done_testing();
